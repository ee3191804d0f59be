CREATE TABLE "badge_badges" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "badge_badges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection" text COLLATE "C" NOT NULL,
	"user" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"payload" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "badge_counters" (
	"collection" text COLLATE "C" NOT NULL,
	"user" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "badge_counters_collection_user_path_pk" PRIMARY KEY("collection","user","path")
);

CREATE INDEX "badge_badges_id" ON "badge_badges" USING btree ("collection","user","id");
CREATE INDEX "badge_badges_path" ON "badge_badges" USING btree ("collection","user","path","id");
CREATE INDEX "badge_badges_created_at" ON "badge_badges" USING btree ("created_at");
