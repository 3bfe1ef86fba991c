import type { DomainSignals } from "./schema.ts";

export const gameSimulation: DomainSignals = {
  domain: "game-simulation",
  about: "A game, a game engine or a simulation that runs in real time.",
  nature: "product",
  definingFiles:
    "project.godot *.uproject *.uplugin ProjectSettings/ProjectVersion.txt *.gdextension *.yyp *.love conf.lua game.project *.rpgproject *.tmx",
  uniqueFiles:
    "*.tscn *.unity *.prefab *.gdshader *.umap *.uasset *.tres *.blend *.hlsl *.shader *.rpy *.wad",
  frameworks: {
    npm: "phaser @babylonjs/core babylonjs pixi.js excalibur kaboom kaplay playcanvas melonjs matter-js planck-js rot-js boardgame.io impactjs cocos2d-html5 colyseus",
    pypi: "pygame pygame-ce arcade pyglet panda3d ursina renpy mesa simpy gymnasium-robotics pybullet mujoco cocos2d raylib",
    cargo:
      "bevy ggez macroquad amethyst fyrox piston tetra godot rapier2d rapier3d specs legion hecs raylib comfy miniquad gdnative bevy_ecs",
    go: "github.com/hajimehoshi/ebiten github.com/faiface/pixel github.com/g3n/engine github.com/gen2brain/raylib-go github.com/EngoEngine/engo github.com/veandco/go-sdl2",
    maven:
      "com.badlogicgames.gdx:* org.lwjgl:* com.github.almasb:fxgl org.jmonkeyengine:* net.fabricmc:* net.minecraftforge:*",
    gradle:
      "fabric-loom net.minecraftforge.gradle io.papermc.paperweight.userdev xyz.jpenilla.run-paper",
    nuget:
      "monogame.framework.desktopgl monogame.framework.windowsdx godot.net.sdk godotsharp stride.engine fna raylib-cs silk.net unityengine.modules",
    native:
      "sdl2 sdl3 sfml raylib allegro bullet ogre glfw3 glfw openal box2d irrlicht sdl sdl2_image sdl2_mixer",
    gems: "gosu ruby2d",
    pub: "flame",
    swift: "spritekit",
    hex: "scenic",
    composer: "pocketmine/pocketmine-mp",
  },
  helpers: {
    npm: "three cannon-es howler stats.js",
    cargo: "wgpu winit glam nalgebra gilrs rodio kira",
    native: "opengl vulkan glm",
  },
  entries: "godot:project unity:project unreal:project",
  extensions: "gd gdshader tscn unity prefab uasset umap",
  generalExtensions: "glsl wgsl",
  uniqueDirectories: "ProjectSettings Assets/Scenes assets/sprites assets/maps levels tilemaps",
  directories:
    "Assets scenes sprites levels maps shaders textures sounds entities systems physics audio engine game",
  categories: [
    "cargo:games",
    "cargo:game-engines",
    "cargo:game-development",
    "cargo:simulation",
    "python:Topic :: Games/Entertainment",
  ],
  statements: [
    "\\b(?:a|an|the|this) (?:[\\w-]+ ){0,4}game\\b(?! (?:engine|server|development))",
    "\\bgame engine\\b",
    "\\b(?:2d|3d|video|multiplayer|platformer|puzzle|strategy|shooter|roguelike|board|card|browser|simulation|indie|racing|rpg) games?\\b",
    "\\bgame (?:made|written|built|for|about|where|in)\\b",
    "\\b(?:physics|traffic|flight|crowd|robot) simulat(?:ion|or)\\b",
    "\\b(?:platformer|roguelike|shooter|city builder|clone of the game)\\b",
    "\\bgodot (?:demo|example|project|game)",
  ],
  keywords: ["game", "gamedev", "game-engine", "godot", "unity", "bevy", "simulation", "ecs"],
  against: { "statement:library-sdk": 0.15 },
};
