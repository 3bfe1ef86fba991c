import type { DomainSignals } from "./schema.ts";

export const databaseEngine: DomainSignals = {
  domain: "database-engine",
  about:
    "A store of data itself: database, key-value store, search engine, cache, queue or storage engine.",
  nature: "field",
  uniqueFiles:
    "wal.rs wal.go wal.c wal.cc btree.c btree.rs btree.go memtable.rs memtable.cc memtable.go sstable.go sstable.rs bufferpool.cc buffer_pool.rs lsm.rs lsm.go pager.c redis.conf version_set.cc bptree.rs page_cache.rs mvcc.rs mvcc.go aof.c rdb.c freelist.go",
  frameworks: {
    cargo: "sqlparser datafusion raft openraft pagecache",
    go: "github.com/hashicorp/raft go.etcd.io/raft vitess.io/vitess",
    maven: "org.apache.lucene:* org.apache.calcite:*",
    native: "rocksdb",
  },
  helpers: {
    cargo:
      "crc32fast crossbeam-epoch bincode lz4_flex memmap2 roaring rocksdb parking_lot zstd redb tantivy fst",
    go: "go.etcd.io/bbolt github.com/golang/snappy github.com/dgraph-io/badger github.com/cockroachdb/pebble",
    native: "snappy lz4 jemalloc",
  },
  uniqueDirectories: "storage memtable sstable btree wal",
  directories:
    "sql query executor planner optimizer index raft storage_engine catalog txn transaction",
  categories: [
    "cargo:database-implementations",
    "cargo:caching",
    "python:Topic :: Database :: Database Engines/Servers",
  ],
  statements: [
    "\\b(?:sql|nosql|graph|vector|time[- ]series|document|relational|distributed|embedded|in-memory|columnar|analytical|object|toy|key[-/ ]value) (?:database|store|data store|data structure store|storage)\\b(?! (?:client|driver|toolkit|library for|abstraction|migration|access))",
    "\\b(?:database engine|storage engine|search engine|data structure server|database management system|key[-/]value)\\b",
    "\\bdatabase (?:written|built|implemented|system|server|in rust|in go)\\b",
  ],
  keywords: [
    "database",
    "kv",
    "key-value",
    "storage-engine",
    "lsm",
    "b-tree",
    "db",
    "raft",
    "search-engine",
  ],
  against: { "framework:npm:express": 0.3 },
};
