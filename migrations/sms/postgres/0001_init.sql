CREATE TABLE "sms_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text COLLATE "C" NOT NULL,
	"phone" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C",
	"provider" text COLLATE "C",
	"provider_id" text COLLATE "C",
	"segments" bigint,
	"receipt_code" text COLLATE "C",
	"text" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "sms_receipts" (
	"provider" text COLLATE "C" NOT NULL,
	"provider_id" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"code" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sms_receipts_provider_provider_id_pk" PRIMARY KEY("provider","provider_id")
);

CREATE TABLE "sms_blacklist" (
	"phone" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sms_blacklist_phone_pk" PRIMARY KEY("phone")
);

CREATE INDEX "sms_messages_phone" ON "sms_messages" USING btree ("phone","id");
CREATE INDEX "sms_messages_state" ON "sms_messages" USING btree ("state","id");
CREATE INDEX "sms_messages_provider_id" ON "sms_messages" USING btree ("provider","provider_id");
CREATE INDEX "sms_receipts_created_at" ON "sms_receipts" USING btree ("created_at");
