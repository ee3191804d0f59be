ALTER TABLE "sms_blacklist" ADD COLUMN "provider" text COLLATE "C";
