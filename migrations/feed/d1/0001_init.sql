CREATE TABLE `feed_collections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`is_ready` integer DEFAULT false NOT NULL
);

CREATE UNIQUE INDEX `feed_collections_name` ON `feed_collections` (`name`);
CREATE TABLE `feed_epochs` (
	`collection_id` integer NOT NULL,
	`recipient` text NOT NULL,
	`epoch` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `recipient`)
);

CREATE TABLE `feed_listeners` (
	`collection_id` integer NOT NULL,
	`recipient` text NOT NULL,
	PRIMARY KEY(`collection_id`, `recipient`)
);

CREATE TABLE `feed_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`collection_id` integer NOT NULL,
	`recipient` text NOT NULL,
	`record_id` integer,
	`until` integer,
	`is_read` integer NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `feed_changes_recipient` ON `feed_changes` (`collection_id`,`recipient`,`id`);
CREATE INDEX `feed_changes_created_at` ON `feed_changes` (`created_at`);
