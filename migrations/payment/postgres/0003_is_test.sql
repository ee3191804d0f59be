ALTER TABLE "payment_transaction" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;
