ALTER TABLE `payment_transaction` ADD `is_test` integer DEFAULT false NOT NULL;
