CREATE TABLE `media_items` (
	`digest` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`extension` text NOT NULL,
	`mimetype` text NOT NULL,
	`charset` text,
	`size` integer NOT NULL,
	`width` integer,
	`height` integer,
	`orientation` integer,
	`max_dimension` integer,
	`duration` real,
	`state` text NOT NULL,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE INDEX `media_items_state` ON `media_items` (`state`,`updated_at`);
CREATE TABLE `media_traces` (
	`digest` text PRIMARY KEY NOT NULL,
	`upload` text,
	`due_at` integer NOT NULL
);

CREATE INDEX `media_traces_due_at` ON `media_traces` (`due_at`);
