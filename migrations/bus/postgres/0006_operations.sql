CREATE TABLE "bus_operations" (
	"id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"collection" bigint NOT NULL,
	"filter" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"position" bigint NOT NULL,
	"last" bigint NOT NULL,
	"matched" bigint NOT NULL,
	"done" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	CONSTRAINT "bus_operations_id_pk" PRIMARY KEY("id")
);

ALTER TABLE "bus_collections" ADD COLUMN "retention" bigint;
ALTER TABLE "bus_collections" ADD COLUMN "concurrency" bigint;
ALTER TABLE "bus_collections" ADD COLUMN "retry_rejected" boolean DEFAULT false NOT NULL;
CREATE INDEX "bus_operations_next_at" ON "bus_operations" USING btree ("next_at") WHERE next_at IS NOT NULL;
CREATE INDEX "bus_operations_ended_at" ON "bus_operations" USING btree ("ended_at") WHERE ended_at IS NOT NULL;
