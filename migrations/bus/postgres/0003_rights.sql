CREATE TABLE "bus_skipped" (
	"url" text COLLATE "C" NOT NULL,
	"position" bigint NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"change" text COLLATE "C" NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bus_skipped_url_position_pk" PRIMARY KEY("url","position")
);

CREATE TABLE "bus_conflicts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bus_conflicts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text COLLATE "C" NOT NULL,
	"client" text COLLATE "C" NOT NULL,
	"collection" text COLLATE "C" NOT NULL,
	"replaced_at" bigint NOT NULL,
	"replaced" text COLLATE "C" NOT NULL,
	"kept" text COLLATE "C" NOT NULL,
	"kept_at" bigint NOT NULL,
	"kept_origin" text COLLATE "C" NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL
);

ALTER TABLE "bus_changes" ADD COLUMN "since" bigint DEFAULT 0 NOT NULL;
ALTER TABLE "bus_changes" ADD COLUMN "seen" text COLLATE "C" DEFAULT '{}' NOT NULL;
CREATE UNIQUE INDEX "bus_conflicts_change" ON "bus_conflicts" USING btree ("kind","client","collection","replaced_at","kept_at","kept_origin");
UPDATE "bus_changes" SET "since" = "at" + 1 WHERE "is_deleted" AND "kind" <> 'access';
