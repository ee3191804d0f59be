CREATE TABLE "bus_subscriptions" (
	"id" text COLLATE "C" NOT NULL,
	"collection" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"events" text COLLATE "C" NOT NULL,
	"secrets" text COLLATE "C" NOT NULL,
	"is_disabled" boolean NOT NULL,
	"disabled_because" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bus_subscriptions_id_pk" PRIMARY KEY("id")
);

CREATE TABLE "bus_deliveries" (
	"collection" bigint NOT NULL,
	"document" bigint NOT NULL,
	"subscription" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"attempts" bigint NOT NULL,
	"status_code" bigint,
	"delivered_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"holder" text COLLATE "C",
	CONSTRAINT "bus_deliveries_collection_document_subscription_pk" PRIMARY KEY("collection","document","subscription")
);

ALTER TABLE "bus_collections" ADD COLUMN "secrets" text COLLATE "C" DEFAULT '{}' NOT NULL;
CREATE INDEX "bus_subscriptions_collection" ON "bus_subscriptions" USING btree ("collection");
CREATE INDEX "bus_deliveries_next_at" ON "bus_deliveries" USING btree ("subscription","next_at") WHERE next_at IS NOT NULL;
