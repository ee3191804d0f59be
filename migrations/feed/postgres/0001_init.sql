CREATE TABLE "feed_collections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feed_collections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text COLLATE "C" NOT NULL,
	"is_ready" boolean DEFAULT false NOT NULL
);

CREATE TABLE "feed_epochs" (
	"collection_id" bigint NOT NULL,
	"recipient" text COLLATE "C" NOT NULL,
	"epoch" bigint NOT NULL,
	CONSTRAINT "feed_epochs_collection_id_recipient_pk" PRIMARY KEY("collection_id","recipient")
);

CREATE TABLE "feed_listeners" (
	"collection_id" bigint NOT NULL,
	"recipient" text COLLATE "C" NOT NULL,
	CONSTRAINT "feed_listeners_collection_id_recipient_pk" PRIMARY KEY("collection_id","recipient")
);

CREATE TABLE "feed_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feed_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"collection_id" bigint NOT NULL,
	"recipient" text COLLATE "C" NOT NULL,
	"record_id" bigint,
	"until" bigint,
	"is_read" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE UNIQUE INDEX "feed_collections_name" ON "feed_collections" USING btree ("name");
CREATE INDEX "feed_changes_recipient" ON "feed_changes" USING btree ("collection_id","recipient","id");
CREATE INDEX "feed_changes_created_at" ON "feed_changes" USING btree ("created_at");
