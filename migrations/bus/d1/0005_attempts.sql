CREATE TABLE `bus_attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`collection` integer NOT NULL,
	`document` integer NOT NULL,
	`target` text NOT NULL,
	`attempt` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`error` text,
	`headers` text,
	`body` text
);

CREATE INDEX `bus_attempts_document` ON `bus_attempts` (`collection`,`document`,`target`);
