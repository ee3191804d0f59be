CREATE TABLE `bus_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`collection` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secrets` text NOT NULL,
	`is_disabled` integer NOT NULL,
	`disabled_because` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE INDEX `bus_subscriptions_collection` ON `bus_subscriptions` (`collection`);
CREATE TABLE `bus_deliveries` (
	`collection` integer NOT NULL,
	`document` integer NOT NULL,
	`subscription` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`status_code` integer,
	`delivered_at` integer,
	`next_at` integer,
	`lease_until` integer,
	`holder` text,
	PRIMARY KEY(`collection`, `document`, `subscription`)
);

CREATE INDEX `bus_deliveries_next_at` ON `bus_deliveries` (`subscription`,`next_at`) WHERE next_at IS NOT NULL;
ALTER TABLE `bus_collections` ADD `secrets` text DEFAULT '{}' NOT NULL;
