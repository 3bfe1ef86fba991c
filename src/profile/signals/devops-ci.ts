import type { DomainSignals } from "./schema.ts";

export const devopsCi: DomainSignals = {
  domain: "devops-ci",
  about:
    "Builds, tests, releases or watches other projects: CI actions, pipelines, deployment and monitoring tools.",
  nature: "product",
  definingFiles:
    "action.yml action.yaml .buildkite/plugin.yml .orb/orb.yml src/@orb.yml bamboo-specs/bamboo.yml .drone.star argocd-cm.yaml",
  uniqueFiles:
    "skaffold.yaml Tiltfile prometheus.yml alertmanager.yml grafana.ini Earthfile concourse.yml bitrise.yml helmfile.yaml Chart.yaml",
  frameworks: {
    npm: "@actions/core @actions/github @actions/toolkit azure-pipelines-task-lib probot-actions",
    pypi: "buildbot fabric invoke-ci jenkins-job-builder",
    go: "github.com/tektoncd/pipeline github.com/drone/drone-go github.com/argoproj/argo-cd dagger.io/dagger github.com/prometheus/alertmanager github.com/sethvargo/go-githubactions",
    maven: "org.jenkins-ci.plugins:* org.jenkins-ci.main:*",
    cargo: "cargo-dist",
    docker: "jenkins/jenkins gitlab/gitlab-runner prom/prometheus grafana/grafana",
    helm: "prometheus grafana argo-cd kube-prometheus-stack",
  },
  helpers: {
    npm: "@actions/exec @actions/io @actions/tool-cache @actions/cache @octokit/rest",
    go: "github.com/prometheus/client_golang github.com/google/go-github",
  },
  entries: "helm:chart",
  uniqueDirectories: ".buildkite .tekton dashboards",
  directories: "ci pipelines workflows deploy jobs charts",
  statements: [
    "\\bgithub actions?\\b",
    "\\b(?:this action|continuous (?:integration|delivery|deployment)|ci/cd|build pipeline|deployment tool|reusable workflows|monitoring stack|release automation)\\b",
    "\\bjenkins (?:plugin|shared library|pipeline)\\b",
  ],
  keywords: ["github-actions", "ci", "cd", "devops", "actions", "jenkins", "monitoring", "github"],
  // An action beside the program that it runs.
  against: {
    "entry-point:python:scripts": 0.6,
    "entry-point:python:published": 0.4,
    "entry-point:cargo:bin": 0.6,
    "entry-point:npm:bin": 0.5,
  },
  givesWay: { to: ["kubernetes-operator", "infra-as-code", "agent-plugin"], by: 0.4 },
};
