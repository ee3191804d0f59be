ALTER TABLE "access_keys" ADD COLUMN "older_secrets" text COLLATE "C";
ALTER TABLE "access_keys" ADD COLUMN "parent_id" text COLLATE "C";
CREATE INDEX "access_keys_parent" ON "access_keys" USING btree ("parent_id");
