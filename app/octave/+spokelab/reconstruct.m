function [image, json, fov] = reconstruct(scan, varargin)
%RECONSTRUCT  Reconstruct a scan as `spokelab-cli reconstruct` does.
%   M = SPOKELAB.RECONSTRUCT(SCAN, NAME, VALUE, ...) gives complex images (Nx x Ny x Nz x frame). SCAN is a SPOKELAB.SCAN or
%   a file's name. Options are all of `spokelab-cli reconstruct --help`: 'method', 'accuracy', 'iterations', 'lambda',
%   'field-map' ...; 'output' writes the image to a file, too (.nii.gz, .h5, .npy, .cfl, .png).
%
%   [M, JSON, FOV] = SPOKELAB.RECONSTRUCT(...) also gives plan, error, times and notes as JSON, and the field of view in mm.
%
%   Example
%       m = spokelab.reconstruct('scan.h5', 'method', 'sense', 'iterations', 20);
%
%   See also SPOKELAB.READ, SPOKELAB.NUFFT.
  if ~isa(scan, 'spokelab.Scan')
    scan = spokelab.read(scan);
  end
  [own, rest] = spokelab.internal.splitOptions({'output'}, varargin);
  file = '';
  if isfield(own, 'output')
    file = char(own.output);
  end
  [image, json, fov] = spokelab_mex('reconstruct', scan.id, rest, file);
end
