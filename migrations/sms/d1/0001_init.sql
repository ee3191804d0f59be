CREATE TABLE `sms_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`phone` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`provider` text,
	`provider_id` text,
	`segments` integer,
	`receipt_code` text,
	`text` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE INDEX `sms_messages_phone` ON `sms_messages` (`phone`,`id`);
CREATE INDEX `sms_messages_state` ON `sms_messages` (`state`,`id`);
CREATE INDEX `sms_messages_provider_id` ON `sms_messages` (`provider`,`provider_id`);
CREATE TABLE `sms_receipts` (
	`provider` text NOT NULL,
	`provider_id` text NOT NULL,
	`state` text NOT NULL,
	`code` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `provider_id`)
);

CREATE INDEX `sms_receipts_created_at` ON `sms_receipts` (`created_at`);
CREATE TABLE `sms_blacklist` (
	`phone` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);

