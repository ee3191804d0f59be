ALTER TABLE `delivery_deliveries` ADD `held_reason` text;
ALTER TABLE `delivery_deliveries` ADD `next_attempt_at` integer;
