ALTER TABLE `feed_changes` ADD `event` text;
