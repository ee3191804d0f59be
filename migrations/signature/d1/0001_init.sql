CREATE TABLE `signature_records` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`document` text NOT NULL,
	`thread` text NOT NULL,
	`version` integer NOT NULL,
	`save` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE UNIQUE INDEX `signature_records_document_thread` ON `signature_records` (`document`,`thread`);
CREATE INDEX `signature_records_document` ON `signature_records` (`document`,`id`);
CREATE INDEX `signature_records_document_version` ON `signature_records` (`document`,`version`,`id`);
CREATE INDEX `signature_records_thread` ON `signature_records` (`thread`,`id`);
CREATE INDEX `signature_records_version` ON `signature_records` (`version`,`id`);
CREATE TABLE `signature_versions` (
	`record_id` integer NOT NULL,
	`version` integer NOT NULL,
	`format` text NOT NULL,
	`signature` text,
	`object` text,
	`size` integer NOT NULL,
	`signers` text NOT NULL,
	`tags` text NOT NULL,
	`version_created_by` text NOT NULL,
	`version_created_at` integer NOT NULL,
	`version_comment` text NOT NULL,
	PRIMARY KEY(`record_id`, `version`)
);

CREATE TABLE `signature_tags` (
	`record_id` integer NOT NULL,
	`tag` text NOT NULL,
	`document` text NOT NULL,
	PRIMARY KEY(`record_id`, `tag`)
);

CREATE INDEX `signature_tags_tag` ON `signature_tags` (`tag`,`record_id`);
CREATE INDEX `signature_tags_document` ON `signature_tags` (`document`,`tag`,`record_id`);
CREATE TABLE `signature_traces` (
	`object` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL
);

CREATE INDEX `signature_traces_due_at` ON `signature_traces` (`due_at`);
