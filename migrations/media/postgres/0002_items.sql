CREATE INDEX "media_items_created_at" ON "media_items" USING btree ("created_at","digest");
CREATE INDEX "media_items_kind" ON "media_items" USING btree ("kind","created_at","digest");
