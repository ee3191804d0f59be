CREATE TABLE `badge_badges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`collection` text NOT NULL,
	`user` text NOT NULL,
	`path` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);

CREATE INDEX `badge_badges_id` ON `badge_badges` (`collection`,`user`,`id`);
CREATE INDEX `badge_badges_path` ON `badge_badges` (`collection`,`user`,`path`,`id`);
CREATE INDEX `badge_badges_created_at` ON `badge_badges` (`created_at`);
CREATE TABLE `badge_counters` (
	`collection` text NOT NULL,
	`user` text NOT NULL,
	`path` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`collection`, `user`, `path`)
);

