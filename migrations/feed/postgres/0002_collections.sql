ALTER TABLE "feed_collections" ADD COLUMN "created_at" timestamp (3) with time zone;
