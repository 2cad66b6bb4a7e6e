-- Pictures of a shop as they were imported, under the reference that the shop file gives them. They are rows, so that an
-- import is one transaction and a backup holds them.
-- compatible

create table picture (
  org_id      uuid not null references shop,
  source      text not null,
  id          uuid not null,
  media_type  text not null,
  width       integer not null,
  height      integer not null,
  bytes       bytea not null,
  primary key (org_id, source),
  constraint picture_size_positive check (width > 0 and height > 0)
);
-- JPEG, PNG and their like do not compress; SVG is small.
alter table picture alter column bytes set storage external;
create index picture_by_id on picture (org_id, id);
