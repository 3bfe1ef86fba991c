import type { DomainSignals } from "./schema.ts";

export const fullstackWeb: DomainSignals = {
  domain: "fullstack-web",
  about: "A web application with its pages and the server behind them in one project.",
  nature: "product",
  definingFiles:
    "next.config.* nuxt.config.* remix.config.* svelte.config.* manage.py artisan bin/rails config/routes.rb wp-config.php symfony.lock blitz.config.* redwood.toml config/application.rb",
  frameworks: {
    npm: "next nuxt @remix-run/node @remix-run/react @sveltejs/kit blitz @redwoodjs/core @tanstack/react-start @tanstack/start meteor-node-stubs @solidjs/start @analogjs/platform gatsby",
    pypi: "django wagtail flask-admin nicegui reflex mezzanine web2py plone odoo flask-login",
    go: "github.com/gobuffalo/buffalo github.com/a-h/templ github.com/revel/revel",
    maven:
      "org.springframework.boot:spring-boot-starter-thymeleaf org.springframework.boot:spring-boot-starter-freemarker com.vaadin:* org.apache.wicket:wicket-core org.apache.struts:* javax.faces:* com.typesafe.play:*",
    nuget:
      "microsoft.aspnetcore.components.server microsoft.aspnetcore.mvc umbraco.cms orchardcore.application.cms.targets",
    composer:
      "laravel/framework symfony/framework-bundle symfony/symfony cakephp/cakephp yiisoft/yii2 codeigniter4/framework drupal/core drupal/core-recommended craftcms/cms livewire/livewire inertiajs/inertia-laravel",
    gems: "rails hanami turbo-rails padrino",
    hex: "phoenix phoenix_live_view",
    cargo: "loco-rs leptos_axum",
    swift: "leaf",
  },
  tools: { npm: "@sveltejs/kit @sveltejs/adapter-node @sveltejs/adapter-auto" },
  helpers: {
    npm: "next-auth ejs pug express-handlebars @inertiajs/react contentlayer",
    pypi: "jinja2 django-allauth django-crispy-forms whitenoise flask-wtf",
    go: "html/template",
    gems: "devise importmap-rails sprockets-rails stimulus-rails haml-rails slim-rails sass-rails",
    hex: "phoenix_html phoenix_ecto",
  },
  extensions: "erb blade.php cshtml razor heex leex twig haml slim",
  definingEntries: "own-front-end",
  directories: "templates views pages frontend backend client server",
  uniqueDirectories: "resources/views app/views app/controllers",
  categories: ["python:Framework :: Django"],
  statements: [
    "\\bfull[- ]?stack\\b",
    "\\bweb (?:application|platform|portal|shop|store)\\b(?! framework)",
    "\\b(?:content management system|cms|e-?commerce platform|self-hosted)\\b",
  ],
  keywords: ["nextjs", "next.js", "rails", "django", "laravel", "fullstack", "full-stack"],
  against: { "entry-point:own-name": 0.6, "statement:library-sdk": 0.35 },
  givesWay: { to: ["docs-site"], by: 0.4 },
  combines: ["web-api", "frontend-spa"],
};
