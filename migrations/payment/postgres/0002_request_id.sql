ALTER TABLE "payment_transaction" ADD COLUMN "request_id" text COLLATE "C";
