CREATE TABLE "access_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"previous_hash" text COLLATE "C",
	"previous_until" timestamp (3) with time zone,
	"scopes" text COLLATE "C" NOT NULL,
	"bounds" text COLLATE "C" NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"requests_per_minute" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);

CREATE TABLE "access_signing_keys" (
	"kid" text COLLATE "C" PRIMARY KEY NOT NULL,
	"private_key" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "access_revoked" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "access_settings" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX "access_keys_name" ON "access_keys" USING btree ("name");
CREATE INDEX "access_revoked_until" ON "access_revoked" USING btree ("until");
