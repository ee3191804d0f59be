CREATE TABLE `notification_notifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`version` integer NOT NULL,
	`name` text NOT NULL,
	`lower_name` text NOT NULL,
	`description` text,
	`code` text NOT NULL,
	`has_email` integer NOT NULL,
	`has_sms` integer NOT NULL,
	`has_feed` integer NOT NULL,
	`email_subject` text,
	`email_html` text,
	`sms_message` text,
	`feed_title` text,
	`feed_text` text,
	`feed_image` text,
	`variables` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `notification_notifications_code` ON `notification_notifications` (`code`);
