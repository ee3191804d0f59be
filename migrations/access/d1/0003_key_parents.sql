ALTER TABLE `access_keys` ADD `older_secrets` text;
ALTER TABLE `access_keys` ADD `parent_id` text;
CREATE INDEX `access_keys_parent` ON `access_keys` (`parent_id`);
