ALTER TABLE `access_audit_days` ADD `anchor_seq` integer;
ALTER TABLE `access_audit_days` ADD `anchor_hash` text;
