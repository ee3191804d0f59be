ALTER TABLE `payment_transaction` ADD `request_id` text;
