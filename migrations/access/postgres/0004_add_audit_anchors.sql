ALTER TABLE "access_audit_days" ADD COLUMN "anchor_seq" bigint;
ALTER TABLE "access_audit_days" ADD COLUMN "anchor_hash" text COLLATE "C";
