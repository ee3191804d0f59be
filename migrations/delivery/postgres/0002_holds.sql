ALTER TABLE "delivery_deliveries" ADD COLUMN "held_reason" text COLLATE "C";
ALTER TABLE "delivery_deliveries" ADD COLUMN "next_attempt_at" timestamp (3) with time zone;
