CREATE TABLE `access_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`previous_hash` text,
	`previous_until` integer,
	`scopes` text NOT NULL,
	`bounds` text NOT NULL,
	`expires_at` integer,
	`requests_per_minute` integer,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);

CREATE UNIQUE INDEX `access_keys_name` ON `access_keys` (`name`);
CREATE TABLE `access_signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`private_key` text NOT NULL,
	`public_key` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE TABLE `access_revoked` (
	`id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
);

CREATE INDEX `access_revoked_until` ON `access_revoked` (`until`);
CREATE TABLE `access_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);

