CREATE TABLE `delivery_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`ledger` text NOT NULL,
	`name` text NOT NULL,
	`min` integer NOT NULL,
	`max` integer NOT NULL,
	`gap` integer NOT NULL,
	`has_email` integer NOT NULL,
	`has_sms` integer NOT NULL,
	`has_feed` integer NOT NULL,
	`data_url` text NOT NULL,
	`filters` text NOT NULL,
	`email_subject` text,
	`email_html` text,
	`sms_message` text,
	`feed_title` text,
	`feed_text` text,
	`feed_image` text,
	`feed_payload` text,
	`payload` text,
	`max_per_second` real,
	`status` text NOT NULL,
	`is_paused` integer NOT NULL,
	`progress` real NOT NULL,
	`revision` integer NOT NULL,
	`heard_at` integer NOT NULL,
	`is_removed` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `delivery_deliveries_ledger` ON `delivery_deliveries` (`ledger`);
CREATE INDEX `delivery_deliveries_status` ON `delivery_deliveries` (`status`,`heard_at`);
CREATE INDEX `delivery_deliveries_removed` ON `delivery_deliveries` (`is_removed`,`heard_at`);
