CREATE TABLE `bus_clients` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text NOT NULL,
	`is_admin` integer NOT NULL,
	`is_disabled` integer NOT NULL,
	`description` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `bus_clients_name` ON `bus_clients` (`name`);
CREATE UNIQUE INDEX `bus_clients_secret` ON `bus_clients` (`secret_hash`);
CREATE TABLE `bus_collections` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`handler` text,
	`is_disabled` integer NOT NULL,
	`description` text,
	`is_ready` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `bus_collections_name` ON `bus_collections` (`name`);
CREATE TABLE `bus_accesses` (
	`client` text NOT NULL,
	`collection` text NOT NULL,
	`level` text NOT NULL,
	PRIMARY KEY(`client`, `collection`)
);

CREATE TABLE `bus_changes` (
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`client` text NOT NULL,
	`collection` text NOT NULL,
	`at` integer NOT NULL,
	`origin` text NOT NULL,
	`is_deleted` integer NOT NULL,
	PRIMARY KEY(`kind`, `client`, `collection`)
);

CREATE UNIQUE INDEX `bus_changes_position` ON `bus_changes` (`position`);
CREATE TABLE `bus_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);

CREATE TABLE `bus_peers` (
	`url` text PRIMARY KEY NOT NULL,
	`instance` text NOT NULL,
	`position` integer NOT NULL
);

CREATE TABLE `bus_blocked` (
	`name` text PRIMARY KEY NOT NULL,
	`secret_hash` text NOT NULL,
	`at` integer NOT NULL,
	`origin` text NOT NULL,
	`change` text NOT NULL
);

