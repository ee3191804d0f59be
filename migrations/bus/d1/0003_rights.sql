CREATE TABLE `bus_skipped` (
	`url` text NOT NULL,
	`position` integer NOT NULL,
	`reason` text NOT NULL,
	`change` text NOT NULL,
	`tried_at` integer NOT NULL,
	PRIMARY KEY(`url`, `position`)
);

CREATE TABLE `bus_conflicts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`client` text NOT NULL,
	`collection` text NOT NULL,
	`replaced_at` integer NOT NULL,
	`replaced` text NOT NULL,
	`kept` text NOT NULL,
	`kept_at` integer NOT NULL,
	`kept_origin` text NOT NULL,
	`found_at` integer NOT NULL
);

CREATE UNIQUE INDEX `bus_conflicts_change` ON `bus_conflicts` (`kind`,`client`,`collection`,`replaced_at`,`kept_at`,`kept_origin`);
ALTER TABLE `bus_changes` ADD `since` integer DEFAULT 0 NOT NULL;
ALTER TABLE `bus_changes` ADD `seen` text DEFAULT '{}' NOT NULL;
UPDATE `bus_changes` SET `since` = `at` + 1 WHERE `is_deleted` AND `kind` <> 'access';
