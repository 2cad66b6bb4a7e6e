-- Sales whose orders were reopened: what devices tell of them later still finds them (Decisions 4, 13).
-- compatible

create table undone_sale (
  org_id     uuid not null,
  id         uuid not null,
  branch_id  uuid not null,
  sale_ref   text not null,
  undone_at  timestamptz not null,
  primary key (org_id, id, undone_at)
);
