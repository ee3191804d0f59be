CREATE TABLE `otp_limits` (
	`channel` text NOT NULL,
	`subject` text NOT NULL,
	`rules` text NOT NULL,
	PRIMARY KEY(`channel`, `subject`)
);

CREATE TABLE `otp_passwords` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`channel` text NOT NULL,
	`target` text NOT NULL,
	`digest` text NOT NULL,
	`channel_digest` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);

CREATE INDEX `otp_passwords_target` ON `otp_passwords` (`target`,`digest`);
CREATE INDEX `otp_passwords_channel_digest` ON `otp_passwords` (`channel_digest`);
CREATE INDEX `otp_passwords_expires_at` ON `otp_passwords` (`expires_at`);
CREATE TABLE `otp_claims` (
	`channel_digest` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE INDEX `otp_claims_expires_at` ON `otp_claims` (`expires_at`);
CREATE TABLE `otp_updates` (
	`id` integer PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`enqueued_at` integer
);

CREATE INDEX `otp_updates_created_at` ON `otp_updates` (`created_at`);
CREATE INDEX `otp_updates_unanswered` ON `otp_updates` (`expires_at`) WHERE enqueued_at IS NULL;
