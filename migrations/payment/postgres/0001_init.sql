CREATE TABLE "payment_http_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_http_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ip" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"method" text COLLATE "C" NOT NULL,
	"headers" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "payment_transaction" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_transaction_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account" text COLLATE "C" NOT NULL,
	"code" text COLLATE "C" NOT NULL,
	"sum" double precision NOT NULL,
	"sum_minor" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"status" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "payment_webhook_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_webhook_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction_id" bigint NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"request_body" text COLLATE "C" NOT NULL,
	"response_status" bigint,
	"response_body" text COLLATE "C",
	"error" text COLLATE "C",
	"duration_ms" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE INDEX "payment_http_log_created_at" ON "payment_http_log" USING btree ("created_at");
CREATE UNIQUE INDEX "payment_transaction_code" ON "payment_transaction" USING btree ("code");
CREATE INDEX "payment_transaction_account" ON "payment_transaction" USING btree ("account","id");
CREATE INDEX "payment_transaction_status" ON "payment_transaction" USING btree ("status","id");
CREATE INDEX "payment_transaction_created_at" ON "payment_transaction" USING btree ("created_at");
CREATE INDEX "payment_webhook_log_transaction" ON "payment_webhook_log" USING btree ("transaction_id","id");
CREATE INDEX "payment_webhook_log_created_at" ON "payment_webhook_log" USING btree ("created_at");
