ALTER TABLE `sms_blacklist` ADD `provider` text;
