CREATE TABLE `otp_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`target` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `otp_messages_target` ON `otp_messages` (`target`,`id`);
CREATE INDEX `otp_messages_created_at` ON `otp_messages` (`created_at`);
