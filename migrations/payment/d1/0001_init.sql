CREATE TABLE `payment_http_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ip` text NOT NULL,
	`url` text NOT NULL,
	`method` text NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `payment_http_log_created_at` ON `payment_http_log` (`created_at`);
CREATE TABLE `payment_transaction` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` text NOT NULL,
	`code` text NOT NULL,
	`sum` real NOT NULL,
	`sum_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`status` integer NOT NULL,
	`created_at` integer NOT NULL
);

CREATE UNIQUE INDEX `payment_transaction_code` ON `payment_transaction` (`code`);
CREATE INDEX `payment_transaction_account` ON `payment_transaction` (`account`,`id`);
CREATE INDEX `payment_transaction_status` ON `payment_transaction` (`status`,`id`);
CREATE INDEX `payment_transaction_created_at` ON `payment_transaction` (`created_at`);
CREATE TABLE `payment_webhook_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`transaction_id` integer NOT NULL,
	`url` text NOT NULL,
	`request_body` text NOT NULL,
	`response_status` integer,
	`response_body` text,
	`error` text,
	`duration_ms` integer NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `payment_webhook_log_transaction` ON `payment_webhook_log` (`transaction_id`,`id`);
CREATE INDEX `payment_webhook_log_created_at` ON `payment_webhook_log` (`created_at`);
