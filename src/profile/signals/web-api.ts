import type { DomainSignals } from "./schema.ts";

export const webApi: DomainSignals = {
  domain: "web-api",
  about: "A service that answers requests over HTTP, gRPC or GraphQL and has no pages of its own.",
  nature: "product",
  definingFiles: "serverless.yml serverless.yaml nest-cli.json",
  uniqueFiles:
    "openapi.yaml openapi.yml openapi.json swagger.yaml swagger.json Procfile encore.app",
  commonFiles: "Dockerfile docker-compose.yml docker-compose.yaml compose.yaml alembic.ini",
  frameworks: {
    npm: "express fastify koa @nestjs/core hapi @hapi/hapi restify hono @hono/node-server polka @apollo/server apollo-server apollo-server-express graphql-yoga @trpc/server @feathersjs/feathers @adonisjs/core moleculer sails @loopback/rest elysia h3 nitropack @grpc/grpc-js serverless-http strapi @strapi/strapi json-server",
    pypi: "fastapi flask djangorestframework starlette sanic falcon tornado bottle aiohttp-server quart litestar django-ninja connexion flask-restful flask-restx eve pyramid robyn blacksheep strawberry-graphql graphene-django chalice",
    cargo: "actix-web axum rocket warp tide poem salvo async-graphql tonic gotham rouille",
    go: "github.com/gin-gonic/gin github.com/labstack/echo github.com/gofiber/fiber github.com/go-chi/chi github.com/gorilla/mux github.com/beego/beego github.com/go-kratos/kratos github.com/zeromicro/go-zero github.com/julienschmidt/httprouter github.com/emicklei/go-restful github.com/99designs/gqlgen github.com/danielgtaylor/huma connectrpc.com/connect github.com/cloudwego/hertz github.com/kataras/iris github.com/flamego/flamego gopkg.in/macaron.v1",
    maven:
      "org.springframework.boot:spring-boot-starter-web org.springframework.boot:spring-boot-starter-webmvc org.springframework.boot:spring-boot-starter-webflux org.springframework:spring-webmvc io.quarkus:* io.micronaut:* io.javalin:javalin io.dropwizard:* com.sparkjava:spark-core io.vertx:vertx-web io.helidon.webserver:* org.glassfish.jersey.core:jersey-server io.ktor:ktor-server-core io.ktor:ktor-server-core-jvm io.ktor:ktor-server-netty org.http4k:http4k-core com.typesafe.akka:akka-http_2.13 org.http4s:*",
    gradle: "io.quarkus io.micronaut.application io.ktor.plugin",
    nuget:
      "microsoft.net.sdk.web fastendpoints carter servicestack nancy grpc.aspnetcore hotchocolate.aspnetcore swashbuckle.aspnetcore",
    composer:
      "slim/slim laravel/lumen-framework api-platform/core api-platform/symfony mezzio/mezzio hyperf/hyperf",
    gems: "sinatra grape roda hanami-api rails-api cuba",
    swift: "vapor hummingbird",
    hex: "plug_cowboy bandit absinthe",
    pub: "shelf dart_frog serverpod",
  },
  helpers: {
    npm: "cors helmet body-parser swagger-ui-express express-rate-limit mongoose sequelize typeorm @prisma/client prisma knex passport jsonwebtoken bullmq ioredis",
    pypi: "uvicorn gunicorn hypercorn sqlalchemy alembic celery pydantic-settings asyncpg psycopg2 psycopg2-binary psycopg python-jose passlib flask-sqlalchemy sqlmodel tortoise-orm",
    cargo: "tower-http sqlx diesel sea-orm utoipa jsonwebtoken",
    go: "gorm.io/gorm github.com/jmoiron/sqlx github.com/golang-jwt/jwt github.com/swaggo/swag google.golang.org/grpc github.com/grpc-ecosystem/grpc-gateway github.com/go-redis/redis github.com/redis/go-redis",
    maven:
      "org.springframework.boot:spring-boot-starter-data-jpa org.springframework.boot:spring-boot-starter-security org.springframework.boot:spring-boot-starter-actuator org.flywaydb:flyway-core org.springdoc:springdoc-openapi-starter-webmvc-ui",
    nuget: "microsoft.entityframeworkcore* npgsql.entityframeworkcore.postgresql mediatr",
    gems: "puma rack",
    gradle: "org.springframework.boot",
    docker: "postgres mysql redis mongo rabbitmq",
  },
  commonEntries: "docker:exposes-port npm:start go:main dotnet:web",
  directories:
    "routes routers controllers middleware middlewares handlers endpoints api migrations",
  categories: [
    "cargo:web-programming::http-server",
    "python:Framework :: FastAPI",
    "python:Framework :: Flask",
  ],
  statements: [
    "\\b(?:rest(?:ful)?|http|web|graphql|grpc|json|backend) (?:api|service|microservice|backend)\\b(?! (?:client|wrapper|framework|library|sdk))",
    "\\b(?:backend|microservice|api server|api backend|api boilerplate)\\b",
  ],
  keywords: ["rest", "api", "rest-api", "backend", "microservice", "graphql", "server", "express"],
  against: { "entry-point:own-name": 0.6, "statement:library-sdk": 0.35 },
  givesWay: {
    to: ["fullstack-web", "mcp-server", "bot", "smart-contract", "database-engine"],
    by: 0.6,
  },
};
