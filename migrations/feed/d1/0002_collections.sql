ALTER TABLE `feed_collections` ADD `created_at` integer;
