ALTER TABLE "feed_changes" ADD COLUMN "event" text COLLATE "C";
