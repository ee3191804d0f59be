ALTER TABLE "media_items" ADD COLUMN "run" bigint DEFAULT 1 NOT NULL;
