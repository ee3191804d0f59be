CREATE TABLE `bus_operations` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`collection` integer NOT NULL,
	`filter` text NOT NULL,
	`state` text NOT NULL,
	`position` integer NOT NULL,
	`last` integer NOT NULL,
	`matched` integer NOT NULL,
	`done` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`next_at` integer
);

CREATE INDEX `bus_operations_next_at` ON `bus_operations` (`next_at`) WHERE next_at IS NOT NULL;
CREATE INDEX `bus_operations_ended_at` ON `bus_operations` (`ended_at`) WHERE ended_at IS NOT NULL;
ALTER TABLE `bus_collections` ADD `retention` integer;
ALTER TABLE `bus_collections` ADD `concurrency` integer;
ALTER TABLE `bus_collections` ADD `retry_rejected` integer DEFAULT false NOT NULL;
