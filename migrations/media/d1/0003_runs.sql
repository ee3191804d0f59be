ALTER TABLE `media_items` ADD `run` integer DEFAULT 1 NOT NULL;
