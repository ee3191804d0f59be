CREATE TABLE "otp_limits" (
	"channel" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"rules" text COLLATE "C" NOT NULL,
	CONSTRAINT "otp_limits_channel_subject_pk" PRIMARY KEY("channel","subject")
);

CREATE TABLE "otp_passwords" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "otp_passwords_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"channel_digest" text COLLATE "C" NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);

CREATE TABLE "otp_claims" (
	"channel_digest" text COLLATE "C" NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "otp_claims_channel_digest_pk" PRIMARY KEY("channel_digest")
);

CREATE TABLE "otp_updates" (
	"id" bigint NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"sealed" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"enqueued_at" timestamp (3) with time zone,
	CONSTRAINT "otp_updates_id_pk" PRIMARY KEY("id")
);

CREATE INDEX "otp_passwords_target" ON "otp_passwords" USING btree ("target","digest");
CREATE INDEX "otp_passwords_channel_digest" ON "otp_passwords" USING btree ("channel_digest");
CREATE INDEX "otp_passwords_expires_at" ON "otp_passwords" USING btree ("expires_at");
CREATE INDEX "otp_claims_expires_at" ON "otp_claims" USING btree ("expires_at");
CREATE INDEX "otp_updates_created_at" ON "otp_updates" USING btree ("created_at");
CREATE INDEX "otp_updates_unanswered" ON "otp_updates" USING btree ("expires_at") WHERE enqueued_at IS NULL;
