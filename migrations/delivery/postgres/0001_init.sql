CREATE TABLE "delivery_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "delivery_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ledger" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"min" bigint NOT NULL,
	"max" bigint NOT NULL,
	"gap" bigint NOT NULL,
	"has_email" boolean NOT NULL,
	"has_sms" boolean NOT NULL,
	"has_feed" boolean NOT NULL,
	"data_url" text COLLATE "C" NOT NULL,
	"filters" text COLLATE "C" NOT NULL,
	"email_subject" text COLLATE "C",
	"email_html" text COLLATE "C",
	"sms_message" text COLLATE "C",
	"feed_title" text COLLATE "C",
	"feed_text" text COLLATE "C",
	"feed_image" text COLLATE "C",
	"feed_payload" text COLLATE "C",
	"payload" text COLLATE "C",
	"max_per_second" double precision,
	"status" text COLLATE "C" NOT NULL,
	"is_paused" boolean NOT NULL,
	"progress" double precision NOT NULL,
	"revision" bigint NOT NULL,
	"heard_at" timestamp (3) with time zone NOT NULL,
	"is_removed" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE UNIQUE INDEX "delivery_deliveries_ledger" ON "delivery_deliveries" USING btree ("ledger");
CREATE INDEX "delivery_deliveries_status" ON "delivery_deliveries" USING btree ("status","heard_at");
CREATE INDEX "delivery_deliveries_removed" ON "delivery_deliveries" USING btree ("is_removed","heard_at");
