CREATE TABLE `bus_circuits` (
	`collection` integer NOT NULL,
	`origin` text NOT NULL,
	`failures` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`probe_at` integer NOT NULL,
	`probing_until` integer,
	PRIMARY KEY(`collection`, `origin`)
);

CREATE INDEX `bus_circuits_probing` ON `bus_circuits` (`probing_until`);
