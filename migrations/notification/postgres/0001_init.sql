CREATE TABLE "notification_notifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"version" bigint NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"lower_name" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C",
	"code" text COLLATE "C" NOT NULL,
	"has_email" boolean NOT NULL,
	"has_sms" boolean NOT NULL,
	"has_feed" boolean NOT NULL,
	"email_subject" text COLLATE "C",
	"email_html" text COLLATE "C",
	"sms_message" text COLLATE "C",
	"feed_title" text COLLATE "C",
	"feed_text" text COLLATE "C",
	"feed_image" text COLLATE "C",
	"variables" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE UNIQUE INDEX "notification_notifications_code" ON "notification_notifications" USING btree ("code");
