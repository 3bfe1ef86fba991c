import type { DomainSignals } from "./schema.ts";

export const dataPipeline: DomainSignals = {
  domain: "data-pipeline",
  about:
    "Moves and transforms data between stores: ETL, orchestration, streaming, warehouse models.",
  nature: "product",
  definingFiles:
    "dbt_project.yml airflow.cfg meltano.yml dagster.yaml workspace.dagster.yaml prefect.yaml Snakefile nextflow.config sqlmesh.yaml *.nf great_expectations.yml dagster_cloud.yaml .sqlfluff dlt/config.toml",
  uniqueFiles: "packages.yml profiles.yml",
  frameworks: {
    npm: "kafkajs @google-cloud/dataflow",
    pypi: "apache-airflow dagster prefect luigi pyspark dbt-core dbt-postgres dbt-snowflake dbt-bigquery dbt-duckdb apache-beam great-expectations singer-sdk petl bonobo faust faust-streaming sqlmesh dlt mage-ai pyflink apache-flink snakemake delta-spark bytewax meltano airbyte-cdk",
    cargo: "timely differential-dataflow arroyo rdkafka",
    go: "github.com/apache/beam/sdks github.com/benthosdev/benthos github.com/redpanda-data/benthos",
    maven:
      "org.apache.spark:* org.apache.flink:* org.apache.beam:* org.apache.kafka:kafka-streams org.apache.hadoop:* org.springframework.batch:* org.springframework.boot:spring-boot-starter-batch",
    nuget: "microsoft.spark",
    docker: "apache/airflow apache/nifi bitnami/spark debezium/connect confluentinc/cp-kafka",
  },
  helpers: {
    pypi: "pandas polars duckdb pyarrow sqlalchemy snowflake-connector-python google-cloud-bigquery boto3 confluent-kafka kafka-python great-expectations dask pandera sqlfluff",
    maven: "org.apache.kafka:kafka-clients org.apache.avro:avro",
  },
  generalExtensions: "sql",
  uniqueDirectories: "dags etl pipelines seeds snapshots",
  directories: "models macros staging marts transforms jobs ingestion",
  statements: [
    "\\b(?:etl|elt)\\b",
    "\\bdata (?:pipeline|warehouse|lake|engineering|ingestion|transformation|integration)\\b",
    "\\b(?:dbt|airflow|spark) (?:project|dags?|jobs?|pipelines?)\\b",
    "\\bstream processing\\b",
  ],
  keywords: ["etl", "airflow", "dbt", "spark", "data-engineering", "pipeline", "kafka"],
  against: { "entry-point:own-name": 0.3 },
};
